/** A viewer's seat at a decision, plan or agreement. Only viewers with a seat see it. */
export interface Seat {
  /** uuid of a person, an AI or an app. */
  viewer: string;
  /** Whether it waits for the viewer. */
  waiting: boolean;
}

export type SeatedKind = 'decision' | 'plan' | 'agreement';
