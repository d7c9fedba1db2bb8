export { english, readCatalogue } from './catalogues.ts';
export { type Catalogue, createLanguage, type Language } from './language.ts';
export { createLanguages, type Languages, type Reader } from './languages.ts';
export { type Paragraph, wordMail } from './mail.ts';
export type { Messages } from './messages.ts';
export { readText, storeTexts } from './stored.ts';
export { formatted, instant, listed, type Tag, Text, t, type Value, verbatim } from './text.ts';
