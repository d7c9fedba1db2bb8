/** A failure; its message is a sentence that the operator can act on. */
export class Failure extends Error {
  override readonly name: string = 'Failure';
}

/** A command line that the tool doesn't understand. */
export class UsageError extends Failure {
  override readonly name = 'UsageError';
}
