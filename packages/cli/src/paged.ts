import { type AnswerOf, type InputOf, type OperationName, pages } from '@hearth/sdk';
import type { Home } from './home.ts';

const perPage = 100;

/** Operations that answer a list page by page. */
export type ListName = {
  [Name in OperationName]: AnswerOf<Name> extends { next_cursor: string | null } ? Name : never;
}[OperationName];

/** An entry of that list of the answer. */
export type EntryOf<
  Name extends ListName,
  List extends keyof AnswerOf<Name>,
> = AnswerOf<Name>[List] extends readonly (infer Entry)[] ? Entry : never;

/**
 * The entries of a list, page by page, at most `most` of them; one more when there are more.
 *
 * @param list its name in the answer
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
