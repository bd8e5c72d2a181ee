import { Checkbox, type CheckboxProps } from '@mantine/core';
import classes from './RowBox.module.css';

/** A box that chooses a row. */
export function RowBox(props: CheckboxProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the box within is the control, and has a name of its own
    <label className={classes.box}>
      <Checkbox {...props} />
    </label>
  );
}
