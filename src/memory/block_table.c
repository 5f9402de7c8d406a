/* block_table.c - from the address of a large block in use to what is known about it.
 *
 * Invariant: between a block's preferred slot and the slot it is in, no slot is empty. So removing moves later blocks back, and
 * removed ones need no mark. Room is made when a block is taken, so giving back needs no memory.
 */
#include "memory/caching.h"
#include "memory/metadata.h"

static size_t table_first_slot(const tni_block_table *table, const void *data) {
    uint64_t hash = ((uint64_t)(uintptr_t)data >> 6) * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(hash >> 32) & (table->capacity - 1);
}

void tni_table_insert(tni_block_table *table, tni_block *block) {
    size_t slot = table_first_slot(table, block->data);
    while (table->slots[slot])
        slot = (slot + 1) & (table->capacity - 1);
    table->slots[slot] = block;
    table->count++;
}

bool tni_table_reserve(tni_block_table *table) {
    if ((table->count + 1) * 2 <= table->capacity)
        return true;
    tni_block_table larger = {.capacity = table->capacity ? table->capacity * 2 : TABLE_LEAST};
    larger.slots = tni_metadata_take(larger.capacity * sizeof(tni_block *));
    if (!larger.slots)
        return table->count + 1 < table->capacity;
    for (size_t slot = 0; slot < table->capacity; slot++)
        if (table->slots[slot])
            tni_table_insert(&larger, table->slots[slot]);
    tni_metadata_give(table->slots);
    *table = larger;
    return true;
}

tni_block *tni_table_remove(tni_block_table *table, const void *data) {
    if (table->count == 0)
        return NULL;
    size_t mask = table->capacity - 1, hole = table_first_slot(table, data);
    while (table->slots[hole] && table->slots[hole]->data != data)
        hole = (hole + 1) & mask;
    tni_block *block = table->slots[hole];
    if (!block)
        return NULL;
    for (size_t slot = (hole + 1) & mask; table->slots[slot]; slot = (slot + 1) & mask)
        if (((slot - table_first_slot(table, table->slots[slot]->data)) & mask) >= ((slot - hole) & mask)) {
            table->slots[hole] = table->slots[slot];
            hole = slot;
        }
    table->slots[hole] = NULL;
    table->count--;
    return block;
}

void tni_table_destroy(tni_block_table *table) {
    tni_metadata_give(table->slots);
    *table = (tni_block_table){0};
}
