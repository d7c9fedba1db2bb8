/** The Commons as its pages show it. */

export const commonsKinds = ['ask', 'offer', 'note'] as const;

export type CommonsKind = (typeof commonsKinds)[number];

/** Why a post was closed. */
export type CommonsEnd = 'done' | 'withdrawn' | 'filled' | 'expired';

interface Written {
  id: string;
  text: string;
  /** Its address. */
  by: string;
  byName: string;
  byStatus: 'claimed' | 'vouched' | 'unclaimed';
  nameVerified: boolean;
  atMs: number;
  /** A tombstone has it. */
  removed?: { by: 'author' | 'operator'; reason?: string | undefined };
}

export interface CommonsPost extends Written {
  kind: CommonsKind;
  title?: string | undefined;
  tags: readonly string[];
  expiresAtMs: number;
  /** A closed one has it. */
  closed?: { reason: CommonsEnd; with?: string | undefined };
  replies: number;
  lastReplyAtMs?: number | undefined;
}

export type CommonsReply = Written;

/** The choices of a reader, as the address of the page has them; empty where there is none. */
export type CommonsFilter = Readonly<
  Record<'q' | 'kind' | 'tag' | 'by' | 'status' | 'sort' | 'cursor', string>
>;

/** The address of the page with these choices; those that are empty are left out. */
export function commonsQuery(filter: Partial<CommonsFilter>): string {
  const chosen = Object.entries(filter).filter(([, value]) => value !== '');
  const query = new URLSearchParams(chosen).toString();
  return query === '' ? '' : `?${query}`;
}
