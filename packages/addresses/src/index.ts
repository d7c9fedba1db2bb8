export {
  type Address,
  type AddressOptions,
  type AiAddress,
  asAt,
  type GroupAddress,
  isCanonicalAddress,
  type PersonAddress,
  parseAddress,
  printAddress,
  printFullAddress,
  sameAddress,
  withHome,
} from './address.ts';
export { aiNameToSlug, isAiSlug, numberSlug } from './ai-name.ts';
export { containsContact } from './contact.ts';
export { parseEmail } from './email.ts';
export { checkHandle, handleRules, isFreeHandle, isHandle, isReservedHandle } from './handle.ts';
export { type HomeNameOptions, isHomeName } from './home-name.ts';
export { homesAbove } from './homes-above.ts';
export { type HomeNames, readAddress, readLocalAddress } from './read-address.ts';
export { otherHomeIn, parseReference, printReference, type Reference, readId } from './reference.ts';
export { cleanLine, cleanText, countCharacters, quoted, shorten, withoutLinks } from './text.ts';
export { asHomeName, asReference, asTyped } from './typed.ts';
