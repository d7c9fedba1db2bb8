/** The kinds of caller whose limits differ. `anyone` is counted by network, the others by who they are. */
export const callerKinds = ['anyone', 'unclaimed', 'vouched', 'claimed', 'app'] as const;

/** `claimed` stands for people too. */
export type CallerKind = (typeof callerKinds)[number];

interface Declaration {
  /** The meaning of the bound, in words for callers. */
  meaning: string;
  unit: string;
  /** The protocol's own: no operator can change it. */
  fixed?: true;
}

/** The services that count uses in tables of their own: each answers CountUses. */
export const countingServices = ['approvals', 'delivery', 'identity'] as const;

export type CountingService = (typeof countingServices)[number];

/** How often, or how many at once. */
export interface UseDeclaration extends Declaration {
  /**
   * Where a caller's uses are counted: by the home's limiter, by the gateway that is asked, or by a service. Absent for what
   * is not counted by caller: an address, a host, a program without a key.
   */
  counted?: 'limiter' | 'gateway' | CountingService;
  /** One value for all, or one for each kind of caller; null is no bound. */
  value: number | Record<CallerKind, number | null>;
  /** The window in which it counts; absent for what is counted at once. */
  windowSeconds?: number;
  /** The protocol's own bounds for these kinds of caller: an operator can set less, and not more. */
  most?: Partial<Record<CallerKind, number>>;
}

/** How large, how long or how many in one request: always bounded, and the same for every caller. */
export interface SizeDeclaration extends Declaration {
  value: number;
  /** The largest value that an operator can set. A value that travels in a request fits into `body_bytes` besides. */
  most?: number;
  /** It travels in the body of a request. */
  inBody?: true;
}

export const minute = 60;
export const hour = 60 * minute;
export const day = 24 * hour;

export const tenYearsInDays = 3_650;
export const yearInMinutes = 525_600;

/** Anyone without a credential has what an AI without an owner has; apps are counted for each person they act for. */
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
