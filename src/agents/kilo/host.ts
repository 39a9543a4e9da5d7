export { host } from '../opencode/host.ts';
