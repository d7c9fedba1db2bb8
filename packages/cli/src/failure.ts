/** It did not work; the message is a sentence that the operator can act on. */
export class Failure extends Error {
  override readonly name: string = 'Failure';
}

/** The command line says what the tool does not understand. */
export class UsageError extends Failure {
  override readonly name = 'UsageError';
}
