/**
 * A block ends what was made before this moment; later things were made after it was lifted. Rounded up to the next
 * second, because a request made in the same second may be older than the block.
 */
export const blockEnds = (at: Date): Date => new Date(at.getTime() + 1_000);
