export { type Cursor, type CursorParts, cursorOf, type PlaceOf } from './cursor.ts';
export {
  fitting,
  type Page,
  type PageRequest,
  type PageSource,
  pageSize,
  readPage,
  weightOf,
} from './page.ts';
export { mostOf, newestOf, type PagePosition, placeCursor, placeValues } from './place.ts';
