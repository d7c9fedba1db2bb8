import { cleanLine, cleanText } from '@hearth/addresses';
import { isHearthError } from '@hearth/errors';
import { digest, isJsonObject, type JsonObject, type JsonValue, parseStrictJson } from '@hearth/signing';
import { UsageError } from '../failure.ts';

/** Replaces an address in the digest if the address would identify a person under 18. */
const underAge = 'under-18';

/**
 * The digest of an ask: SHA-256 over the JCS of its content and recipients (docs/protocol/approvals.md).
 *
 * @param bytes the request of ask_approval with `to`, or the approval as the home showed it; a digest that it contains
 *   proves nothing and is ignored
 * @param name how to refer to it in errors
 * @throws UsageError if the bytes aren't an ask
 */
export function askDigest(bytes: Uint8Array, name: string): string {
  const ask = readAsk(bytes, name);
  const { title, details, choices, preview, item_ref } = ask;
  if (typeof title !== 'string') throw new UsageError(`${name} is not an ask: it has no title`);
  return digest({
    title: cleanLine(title),
    ...(isGiven(details) && { details: cleaned(details, cleanText) }),
    ...(isGiven(choices) && { choices: cleaned(choices, cleanLine) }),
    free_text: ask.free_text === true,
    ...(isGiven(preview) && { preview }),
    ...(isGiven(item_ref) && { item_ref }),
    to: recipientsOf(ask, name),
  });
}

function readAsk(bytes: Uint8Array, name: string): JsonObject {
  try {
    const ask = parseStrictJson(bytes, { floats: true });
    if (isJsonObject(ask)) return ask;
  } catch (thrown) {
    if (!isHearthError(thrown)) throw thrown;
    throw new UsageError(`${name} is not an ask: ${thrown.message}`);
  }
  throw new UsageError(`${name} is not an ask: it is not a JSON object`);
}

/** An ask names its recipients in `to` (formerly `people`); an approval shows them in `people[].to`. */
function recipientsOf({ to, people }: JsonObject, name: string): string[] {
  const named = Array.isArray(to) && to.length > 0 ? to : people;
  const recipients = Array.isArray(named) ? named.map((one) => (isJsonObject(one) ? one.to : one)) : [];
  if (recipients.length === 0) throw new UsageError(`${name} is not an ask: "to" has no recipients`);
  return recipients.map((recipient) => {
    if (typeof recipient !== 'string')
      throw new UsageError(`${name} is not an ask: its recipients must be strings`);
    if (recipient.startsWith('shp_')) return underAge;
    // A person of another home, as the asker may write the address.
    return /^@[^@]+@/.test(recipient) ? recipient.slice(1) : recipient;
  });
}

/** Cleans a text, or each text of a list, the way the home does; this doesn't change what the home shows. */
function cleaned(value: JsonValue | undefined, clean: (text: string) => string): JsonValue | undefined {
  if (Array.isArray(value)) return value.map((one) => (typeof one === 'string' ? clean(one) : one));
  return typeof value === 'string' ? clean(value) : value;
}

/** Missing values and empty lists are left out of the digest; an empty text isn't. */
function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
}
