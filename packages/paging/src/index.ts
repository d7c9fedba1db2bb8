export { type Cursor, type CursorParts, cursorOf, type PlaceOf } from './cursor.ts';
export { type Page, type PageRequest, type PageSource, pageSize, readPage } from './page.ts';
