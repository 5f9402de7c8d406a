/* limits.h - the internal limits of this layer, and how those of every layer are written.
 *
 * A limit is a number that users do not see: how much is done at once, kept, put on the stack, handed to a thread. Every layer
 * has one header of this name for all of its own. Results do not depend on them, except for the last bits of sums, whose tree
 * is cut by block sizes. Because they are large, small tests do not cross them; so each has a small twin, mostly odd, and a
 * build with -DTN_SMALL_LIMITS has the twins instead: there every test of a few elements crosses every boundary.
 *
 * Numbers that follow from the hardware (a line of the cache), from a format or from PyTorch's rules are not limits. An array
 * is as long as the limit that bounds its use, and what must hold between limits is asserted beside them.
 */
#ifndef TNI_BASE_LIMITS_H
#define TNI_BASE_LIMITS_H

#ifdef TN_SMALL_LIMITS
#define TNI_LIMIT(usual, small) (small)
#else
#define TNI_LIMIT(usual, small) (usual)
#endif

enum {
    TNI_HEAP_CLASSES = TNI_LIMIT(32, 11),  /* sizes of blocks that threads keep, in steps of 16 bytes            */
    HEAP_KEPT = TNI_LIMIT(64, 3),          /* blocks of a size that a thread keeps                               */
    HEAP_QUARANTINE = TNI_LIMIT(4096, 61), /* blocks that a debug build waits for before it gives one out again  */
    TNI_SCOPES_INLINE = TNI_LIMIT(16, 3),  /* open scopes of a thread without memory of their own                */
    THREAD_RESERVES = TNI_LIMIT(4, 3),     /* threads that need no memory for their state                        */
    POOL_RETRY_LOOPS = TNI_LIMIT(1024, 5), /* loops until threads that could not be started are tried again      */
    POOL_SPINS = TNI_LIMIT(32, 3),         /* looks for work between two looks at the clock                      */
    LOOKUP_PLACES = TNI_LIMIT(16, 2),      /* places of a table of names, to begin with                          */
    TNI_STEP = TNI_LIMIT(16384, 40)        /* elements of work in order between two questions whether to go on;
                                              a multiple of 8, which bodies that take eight at a time rely on */
};

_Static_assert(TNI_STEP % 8 == 0, "whole eights");

#endif
