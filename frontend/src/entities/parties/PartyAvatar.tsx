import { Avatar } from '@mantine/core';
import { useFile } from '~/api';

interface PartyAvatarProps {
  name: string;
  /** Address of the picture's file. */
  picture: string | null;
  size?: number;
}

/** A party's picture, or its initials. It stands beside the name, so that it says nothing itself. */
export function PartyAvatar({ name, picture, size = 32 }: PartyAvatarProps) {
  const { src } = useFile(picture);
  return (
    <Avatar
      size={size}
      src={src}
      name={name}
      alt=""
      color="caudal"
      variant={src ? 'light' : 'filled'}
      aria-hidden
    />
  );
}
