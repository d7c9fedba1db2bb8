export { type AppEventType, appEventTypes } from './event-types.ts';
export { signSvc, svcSignatureHeader } from './svc-signature.ts';
