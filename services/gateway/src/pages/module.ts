export { type Asked, fieldOf, frameWithZone, signedIn } from './asked.ts';
export { birthOf, guardianPage } from './birth.ts';
export { doneOf, toldOn } from './done.ts';
export { fieldErrors, ifThere } from './failures.ts';
export { signedInLately, signInAfresh } from './fresh.ts';
export { createOpenLink } from './open-link.ts';
export { findOwnAi, listOwnAis, type OwnedAi } from './own-ais.ts';
export {
  type AddPeoplePage,
  createAddPeoplePage,
  errorPage,
  type FormRequest,
  frameOf,
  type PageAnswer,
  type PageRequest,
  type ScriptAnswer,
  type ScriptRequest,
  send,
  sendNotFoundPage,
  signInFirst,
} from './people-page.ts';
export { sentence } from './sentence.ts';
export { aiNameOf, msOf, scopesOf } from './words.ts';
