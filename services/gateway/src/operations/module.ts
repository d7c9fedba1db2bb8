export {
  type Binding,
  type HttpMethod,
  type Operation,
  readOperations,
  serviceOf,
} from './operations.ts';
export { parseTemplate, type Segment } from './template.ts';
