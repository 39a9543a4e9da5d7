/** The system of effects that release something or reconfigure what runs for users. */
export const DEPLOYMENT = 'deployment';
