import { internal } from '@hearth/errors';

/** One part of a path between slashes: fixed text, or the parameter that it fills. */
export interface Segment {
  text?: string;
  parameter?: string;
  /** Fixed text after the parameter: ".ics". */
  suffix?: string;
}

const fixed = /^[A-Za-z0-9._~-]+$/;
const parameter = /^\{([a-z][a-z0-9_]*)\}(\.[a-z]+)?$/;

/** The segments of a path template of google.api.http: parameters are whole segments, or all of one but an ending. */
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
