export {
  type Binding,
  type HttpMethod,
  type Operation,
  readOperations,
} from './operations.ts';
export { parseTemplate, type Segment } from './template.ts';
