import { type AnswerOf, type InputOf, type OperationName, pages } from '@hearth/sdk';
import type { Home } from './home.ts';

const perPage = 100;

/** Operations that return a paged list. */
export type ListName = {
  [Name in OperationName]: AnswerOf<Name> extends { next_cursor: string | null } ? Name : never;
}[OperationName];

/** An entry of an answer's list. */
export type EntryOf<
  Name extends ListName,
  List extends keyof AnswerOf<Name>,
> = AnswerOf<Name>[List] extends readonly (infer Entry)[] ? Entry : never;

/**
 * Reads a list page by page: up to `most` entries, and one more if there are more.
 *
 * @param list the list's name in the answer
 */
export async function readPages<Name extends ListName, List extends keyof AnswerOf<Name>>(
  home: Pick<Home, 'call'>,
  name: Name,
  list: List,
  input: InputOf<Name>,
  most: number,
): Promise<EntryOf<Name, List>[]> {
  const entries: EntryOf<Name, List>[] = [];
  const ask = (page: object) =>
    home.call(name, page as InputOf<Name>) as Promise<AnswerOf<Name> & { next_cursor: string | null }>;
  for await (const page of pages(ask, { ...input, limit: Math.min(perPage, most + 1) })) {
    entries.push(...(page[list] as EntryOf<Name, List>[]));
    if (entries.length > most) break;
  }
  return entries.slice(0, most + 1);
}
