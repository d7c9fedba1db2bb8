/** A call that a handler of a test noted. */
export interface Noted {
  name: string;
  request: unknown;
  person: string;
}

/** Makes handlers that note their call by `note`, which may throw, and then answer: `{}` by default. */
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
