/** A call that a test's handler noted. */
export interface Noted {
  name: string;
  request: unknown;
  person: string;
}

/** Makes handlers that pass their call to `note`, which may throw, and then answer; `{}` by default. */
export const noting =
  (note: (call: Noted) => void) =>
  <Request, Answer extends object>(
    name: string,
    answer: Answer | ((request: Request) => Answer) = {} as Answer,
  ) =>
  async (request: Request, { caller }: { caller: { id: string } }): Promise<Answer> => {
    note({ name, request, person: caller.id });
    return typeof answer === 'function' ? (answer as (request: Request) => Answer)(request) : answer;
  };
