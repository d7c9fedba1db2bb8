import type { ApiClient, Reply } from '@hearth/testkit/home';

/**
 * The answer to each caller about each thing.
 * A: authorized (done, or refused because of the request and not the caller).
 * N: not found, worded exactly as for a thing that does not exist.
 * F: forbidden, because the caller may see it.
 * X: either denial.
 * W: an app on its own must name someone to act for.
 */
export type Verdict = 'A' | 'N' | 'F' | 'W';

export type ViewerName =
  | 'ada'
  | 'adasAi'
  | 'fellow'
  | 'stranger'
  | 'child'
  | 'ownerless'
  | 'app'
  | 'otherApp'
  | 'nobody';

export interface Row {
  operation: string;
  /** The act on a thing; harmless if it is allowed. */
  act(client: ApiClient, id: string, things: Readonly<Record<string, string>>): Promise<Reply>;
  targets: readonly string[];
  /** One letter per target. */
  expected: Partial<Record<ViewerName, string>>;
}

export const people = ['ada', 'fellow', 'stranger', 'child', 'noPerson'] as const;
