#ifndef TFW_CWEBP_SHIM_H
#define TFW_CWEBP_SHIM_H

#include <webp/decode.h>
#include <webp/encode.h>

#endif
