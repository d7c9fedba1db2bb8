export { createItemNotes, type Item, type ItemNotes, type ItemsChange, itemsChanged } from './item-notes.ts';
