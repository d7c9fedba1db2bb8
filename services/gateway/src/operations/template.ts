import { internal } from '@hearth/errors';

/** A path segment: fixed text, or a parameter. */
export interface Segment {
  text?: string;
  parameter?: string;
  /** Fixed text after the parameter: ".ics". */
  suffix?: string;
}

const fixed = /^[A-Za-z0-9._~-]+$/;
const parameter = /^\{([a-z][a-z0-9_]*)\}(\.[a-z]+)?$/;

/** The segments of a google.api.http path template. A parameter must be a whole segment, except for a suffix. */
export function parseTemplate(template: string): Segment[] {
  const [before, ...parts] = template.split('/');
  if (before !== '' || parts.length === 0) throw internal(`the path ${template} must start with a slash`);
  return parts.map((part) => {
    const [, name, suffix] = parameter.exec(part) ?? [];
    if (name !== undefined) return { parameter: name, ...(suffix !== undefined && { suffix }) };
    if (!fixed.test(part)) throw internal(`the path ${template} holds "${part}", which no route is made of`);
    return { text: part };
  });
}
