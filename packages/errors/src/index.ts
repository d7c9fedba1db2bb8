export { HearthError, asHearthError, isHearthError, type ErrorDetails } from './hearth-error.ts';
export { errorKinds, type ErrorKind } from './kinds.ts';
export { codes, type ErrorCode } from './codes.ts';
export {
  badField,
  forbidden,
  internal,
  notFound,
  rateLimited,
  unauthenticated,
  unavailable,
  badRequest,
} from './make.ts';
