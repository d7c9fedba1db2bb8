/** A request counts once more for each so many bytes of its body: reading them costs more than sending them. */
export const bytesOfRequest = 4_096;

/** An answer of a read counts once more for each so many characters. */
export const charactersOfRead = 65_536;

/** The points that a body adds to its request. */
export const pointsOfBody = (bytes: number): number => Math.floor(bytes / bytesOfRequest);

/** The most bytes that the authorization server reads of a body. */
const mostBytesOfOauth = 57_344;

/** The same for the authorization server, which reads no longer one. */
export const pointsOfOauthBody = (bytes: number): number => pointsOfBody(Math.min(bytes, mostBytesOfOauth));

/** The points of `unproven_requests_a_minute` that a request counts for; every other counts for one. */
export const unprovenPoints = {
  /** Stylesheets, scripts and icons, which lie in memory and which each page of a browser brings along. */
  asset: 0.4,
  /** A key that never worked here is looked for in the database. */
  unknownKey: 5,
  /** Another home whose signature or key does not count. */
  unknownHome: 10,
} as const;

/**
 * The points of `stranger_requests_a_minute` that acts in a push count for, beside the push itself: four each, for the first
 * twelve. A push of the most items and bytes must stay below the bound of a minute.
 */
export const pointsOfStrangersActs = (acts: number): number => 4 * Math.min(acts, 12);
