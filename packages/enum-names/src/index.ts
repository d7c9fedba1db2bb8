export { type EnumNames, enumNames } from './enum-names.ts';
