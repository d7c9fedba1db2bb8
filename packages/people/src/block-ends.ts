/**
 * A block of that moment ends things that were made before this; anything later was made after it was lifted. Whoever made something in
 * that second may have asked before it.
 */
export const blockEnds = (at: Date): Date => new Date(at.getTime() + 1_000);
