#ifndef TFJ_CJPEG_SHIM_H
#define TFJ_CJPEG_SHIM_H

// jpeglib.h uses size_t and FILE without including what declares them.
#include <stddef.h>
#include <stdio.h>

#include <jpeglib.h>

#endif
