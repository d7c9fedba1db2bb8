import type { ApiClient, Reply } from '@hearth/testkit/home';

/**
 * The answer to each caller about each thing. A: let through (done, or refused for what was asked and not for who asked).
 * N: not found, in the very words of what does not exist. F: forbidden, since they may see it. X: either denial. W: an app by
 * itself is asked for whom it acts.
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
  /** The act on a thing; harmless where it is allowed. */
  act(client: ApiClient, id: string, things: Readonly<Record<string, string>>): Promise<Reply>;
  targets: readonly string[];
  /** One letter for each target. */
  expected: Partial<Record<ViewerName, string>>;
}

export const people = ['ada', 'fellow', 'stranger', 'child', 'noPerson'] as const;
