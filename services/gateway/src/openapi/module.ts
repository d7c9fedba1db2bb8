export { openApiDocument } from './document.ts';
export { summaryOf } from './words.ts';
