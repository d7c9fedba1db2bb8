export { contentDigest, isDigestOf } from './content-digest.ts';
export {
  type IncomingRequest,
  type Reader,
  type ReadRequest,
  type RefusalCode,
  RequestRefused,
  readRequest,
  refusalStatus,
  requireFresh,
  verifyRequest,
} from './read-request.ts';
export { encodePart, targetUri } from './request-target.ts';
export { type OutgoingRequest, type SignRequestOptions, signRequest } from './sign-request.ts';
