export { appEvents, appEventTypes, type EventKind, type WakeUpKind, wakeUps } from './catalogue.ts';
export { signSvc, svcSignatureHeader } from './svc-signature.ts';
