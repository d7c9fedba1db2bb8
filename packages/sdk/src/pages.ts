/**
 * Iterates over the pages of a list, from the first:
 * `for await (const { messages } of pages(home.list_messages, { box: 'sent' }))`.
 *
 * @param list an operation that takes a cursor
 * @param input the other fields of the operation
 */
export async function* pages<
  Input extends { cursor?: string | undefined },
  Page extends { next_cursor: string | null },
>(
  list: (input: Input) => Promise<Page>,
  input: Omit<Input, 'cursor'>,
): AsyncGenerator<Page, void, undefined> {
  let cursor: string | undefined;
  do {
    const page = await list({ ...input, cursor } as Input);
    yield page;
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
}
