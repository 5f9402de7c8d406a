/* dynamic.h - whether libraries can be found at run time: TNI_HAS_DLOPEN is 1 where libc itself has dlopen (glibc since 2.34), or
 * the build says -DTN_WITH_DLOPEN and links what it needs. Whoever uses it works without.
 */
#ifndef TNI_DYNAMIC_H
#define TNI_DYNAMIC_H

#include <stdlib.h> /* libc's own macros */

#if defined(TN_WITH_DLOPEN)
#define TNI_HAS_DLOPEN 1
#elif defined(__GLIBC__)
#if __GLIBC_PREREQ(2, 34)
#define TNI_HAS_DLOPEN 1
#endif
#elif defined(__linux__) || defined(__APPLE__) || defined(__FreeBSD__) || defined(__OpenBSD__) || defined(__NetBSD__)
#define TNI_HAS_DLOPEN 1
#endif

#ifndef TNI_HAS_DLOPEN
#define TNI_HAS_DLOPEN 0
#endif

#endif
