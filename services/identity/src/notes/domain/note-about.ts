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
/** Letters and digits of any script, with hyphens and underscores between them. */
const word = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}_-]*$/u;

/**
 * The canonical subject of a note: an address, a &group, the id of a decision (another home's as
 * r:<home>:<id>), or a word in lowercase. Empty if there is none.
 *
 * @throws bad_field if the text is none of these
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
