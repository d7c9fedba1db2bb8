/**
 * A request counts once more for each so many bytes of its body: reading them costs more than sending them.
 */
export const bytesOfRequest = 4_096;

/** A read counts once more for each so many characters of its response. */
export const charactersOfRead = 65_536;

/** The points that a request body adds. */
export const pointsOfBody = (bytes: number): number => Math.floor(bytes / bytesOfRequest);

/** The most bytes of a body that the authorization server reads. */
const mostBytesOfOauth = 57_344;

/** `pointsOfBody`, capped at what the authorization server reads. */
export const pointsOfOauthBody = (bytes: number): number => pointsOfBody(Math.min(bytes, mostBytesOfOauth));

/** The points that a request counts in `unproven_requests_a_minute`; by default 1. */
export const unprovenPoints = {
  /** Stylesheets, scripts and icons, served from memory and fetched with each page. */
  asset: 0.4,
  /** An unknown key is looked up in the database. */
  unknownKey: 5,
  /** A remote home with an invalid signature or key. */
  unknownHome: 10,
} as const;

/**
 * The points of `stranger_requests_a_minute` for the acts in a push, besides the push itself: four each, for
 * the first twelve. A push of the largest size must stay within one minute's limit.
 */
export const pointsOfStrangersActs = (acts: number): number => 4 * Math.min(acts, 12);
