export { appEvents, appEventTypes, type EventKind, type WakeUpKind, wakeUps } from './catalogue.ts';
export { eventBody, svcHeaders } from './event-body.ts';
export { eventErrorCodes } from './event-error-codes.ts';
export { addressedTo, type ReceivedMessage, type Receiver, receivedProblem } from './received-message.ts';
export { backoffBefore, mostAttempts } from './retry-schedule.ts';
export { readStandardSecret, sameText, signStandard } from './standard-signature.ts';
export { signSvc, svcProblem } from './svc-signature.ts';
export { sendTestEvent, type TestFailure } from './test-event.ts';
