/** Whether a key signs in at the dashboard: once there are people, keys are for programs. */
export function takesKeys(setting: 'on' | 'off' | undefined, hasPeople: boolean): boolean {
  return setting === undefined ? !hasPeople : setting === 'on';
}
