/* Lies about the device. */
#include "shim/shim.h"
