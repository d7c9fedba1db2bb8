export { createItemNotes, type ItemNotes, type ItemsChange, itemsChanged } from './item-notes.ts';
