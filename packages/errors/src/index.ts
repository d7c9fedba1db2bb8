export { codes, type ErrorCode } from './codes.ts';
export { asHearthError, type ErrorDetails, HearthError, isHearthError, type Range } from './hearth-error.ts';
export { type ErrorKind, errorKinds } from './kinds.ts';
export {
  badField,
  badRequest,
  forbidden,
  internal,
  notFound,
  personNeeded,
  rateLimited,
  timeZoneNeeded,
  unauthenticated,
  unavailable,
} from './make.ts';
export { type Rule, rules } from './rules.ts';
