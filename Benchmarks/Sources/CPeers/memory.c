#include "peers.h"

#include <malloc.h>

void peers_trim_memory(void) {
    malloc_trim(0);
}
