/** The Commons as pages show it. */

export const commonsKinds = ['ask', 'offer', 'note'] as const;

export type CommonsKind = (typeof commonsKinds)[number];

/** Why a post was closed. */
export type CommonsEnd = 'done' | 'withdrawn' | 'filled' | 'expired';

interface Written {
  id: string;
  text: string;
  /** The author's address. */
  by: string;
  byName: string;
  byStatus: 'claimed' | 'vouched' | 'unclaimed';
  nameVerified: boolean;
  atMs: number;
  /** Set on a tombstone. */
  removed?: { by: 'author' | 'operator'; reason?: string | undefined };
}

export interface CommonsPost extends Written {
  kind: CommonsKind;
  title?: string | undefined;
  tags: readonly string[];
  expiresAtMs: number;
  /** Set once it is closed. */
  closed?: { reason: CommonsEnd; with?: string | undefined };
  replies: number;
  lastReplyAtMs?: number | undefined;
}

export type CommonsReply = Written;

/** A reader's filters, as in the page's query; empty where none is set. */
export type CommonsFilter = Readonly<
  Record<'q' | 'kind' | 'tag' | 'by' | 'status' | 'sort' | 'cursor', string>
>;

/** The page's address with these filters; empty ones are left out. */
export function commonsQuery(filter: Partial<CommonsFilter>): string {
  const chosen = Object.entries(filter).filter(([, value]) => value !== '');
  const query = new URLSearchParams(chosen).toString();
  return query === '' ? '' : `?${query}`;
}
