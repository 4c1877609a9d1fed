#ifndef TFP_CPNG_SHIM_H
#define TFP_CPNG_SHIM_H

#include <png.h>

#endif
