import {
  cleanLine,
  countCharacters,
  type HomeNames,
  parseAddress,
  parseReference,
  printAddress,
  printReference,
} from '@hearth/addresses';
import { badField } from '@hearth/errors';

const maxWordCharacters = 40;
const decisionId = /^[1-9][0-9]{0,17}$/;
/** Letters and digits of any script; hyphens and underscores between them. */
const word = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}_-]*$/u;

/**
 * The subject of a note, in its one spelling: an address, a &group, the id of a decision (also of another home's,
 * r:<home>:<id>), or a word in small letters. Empty for nothing.
 *
 * @throws bad_field for what is none of these
 */
export function readAbout(given: string, homeNames: HomeNames): string {
  const text = cleanLine(given);
  if (text === '' || decisionId.test(text)) return text;
  const address = parseAddress(text, homeNames);
  if (address !== null) return printAddress(address);
  const reference = parseReference(text, homeNames);
  if (reference !== null) return printReference(reference);
  const topic = text.toLowerCase().normalize('NFC');
  if (word.test(topic) && countCharacters(topic) <= maxWordCharacters) return topic;
  throw badField(
    'about',
    `must be an address, a &group, the id of a decision, or one word of 1 to ${maxWordCharacters} letters, digits, - and _`,
  );
}
