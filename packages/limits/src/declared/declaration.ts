/** Kinds of callers with different limits. `anyone` is counted by network, the others by identity. */
export const callerKinds = ['anyone', 'unclaimed', 'vouched', 'claimed', 'app'] as const;

/** `claimed` includes people. */
export type CallerKind = (typeof callerKinds)[number];

interface Declaration {
  /** The meaning of the limit, in words for callers. */
  meaning: string;
  unit: string;
  /** Fixed by the protocol: operators cannot change it. */
  fixed?: true;
}

/** Services that count uses in their own tables; each implements CountUses. */
export const countingServices = ['approvals', 'delivery', 'identity'] as const;

export type CountingService = (typeof countingServices)[number];

/** A limit on frequency or concurrency. */
export interface UseDeclaration extends Declaration {
  /**
   * The component that counts a caller's uses: the home's limiter, the gateway handling the request, or a
   * service. Absent if the limit is not per caller, but per address, host or program without a key.
   */
  counted?: 'limiter' | 'gateway' | CountingService;
  /** One value for all, or one for each kind of caller; null for no limit. */
  value: number | Record<CallerKind, number | null>;
  /** The window; absent if concurrent uses are limited. */
  windowSeconds?: number;
  /** The protocol's own maximums for these kinds of caller, which operators can lower but not raise. */
  most?: Partial<Record<CallerKind, number>>;
}

/** A limit on size, duration or the number in one request. Always finite, and equal for all callers. */
export interface SizeDeclaration extends Declaration {
  value: number;
  /**
   * The largest value that operators can set. A value sent in a request must also fit within `body_bytes`.
   */
  most?: number;
  /** Whether the value is sent in a request body. */
  inBody?: true;
}

export const minute = 60;
export const hour = 60 * minute;
export const day = 24 * hour;

export const tenYearsInDays = 3_650;
export const yearInMinutes = 525_600;

/**
 * Limits by kind of caller. Callers without a credential count as AIs without an owner. Apps are counted separately for
 * each person they act for.
 */
export const by = (
  unclaimed: number | null,
  vouched: number | null,
  claimed: number | null,
  app: number | null,
) => ({
  anyone: unclaimed,
  unclaimed,
  vouched,
  claimed,
  app,
});

export const declareUses = <const Uses extends Record<string, UseDeclaration>>(uses: Uses) => uses;
export const declareSizes = <const Sizes extends Record<string, SizeDeclaration>>(sizes: Sizes) => sizes;
