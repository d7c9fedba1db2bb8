/** A viewer of a decision, a plan or an agreement. No one else sees it. */
export interface Seat {
  /** uuid of a person, an AI or an app. */
  viewer: string;
  /** It waits for the viewer. */
  waiting: boolean;
}

export type SeatedKind = 'decision' | 'plan' | 'agreement';
