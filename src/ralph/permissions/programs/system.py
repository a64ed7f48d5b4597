"""Programs that reach beyond the project into the machine: other processes, services, devices, accounts, the kernel.

Rule: none of them is ever for an agent, so every one is refused with the reason. Spec: policy engine.
"""

from __future__ import annotations

from ralph.permissions.programs.answers import refused_programs
from ralph.permissions.programs.model import Reader

OTHER_PROCESSES = "reaches processes that are not the task's own"
SERVICES = "controls services of the machine"
DEVICES = "changes devices, disks or what is mounted"
ACCOUNTS = "changes accounts or passwords"
KERNEL = "changes the kernel or its settings"
POWER = "stops or restarts the machine"
NETWORK_SETUP = "changes the machine's network"
HOST = "shows or changes settings of the machine, not of the project"
RIGHTS = "changes who may do what with a file"
SCREEN = "acts in another session than the one that was judged"

PROGRAMS: dict[str, Reader] = refused_programs(
    [
        ("pkill killall killall5 skill snice xkill renice reptyr fuser", OTHER_PROCESSES),
        ("systemctl service initctl rc-service rc-update launchctl chkconfig update-rc.d supervisorctl", SERVICES),
        ("init telinit runlevel loginctl systemd-nspawn machinectl pm2 monit invoke-rc.d", SERVICES),
        ("mount umount umount2 losetup swapon swapoff mknod fusermount fusermount3 eject hdiutil diskutil", DEVICES),
        ("mkfs mke2fs mkswap fdisk cfdisk sfdisk gdisk sgdisk parted partprobe wipefs blkdiscard", DEVICES),
        ("mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.ntfs mkdosfs mkntfs", DEVICES),
        ("fsck e2fsck tune2fs resize2fs debugfs xfs_repair hdparm nvme badblocks dmsetup cryptsetup", DEVICES),
        ("lvcreate lvremove lvresize vgcreate vgremove pvcreate pvremove mdadm zfs zpool btrfs", DEVICES),
        ("useradd userdel usermod adduser deluser groupadd groupdel groupmod addgroup delgroup gpasswd", ACCOUNTS),
        ("passwd chpasswd chgpasswd chsh chfn chage vipw vigr visudo newusers newgrp sg", ACCOUNTS),
        ("modprobe insmod rmmod depmod kexec sysctl dmesg kmod bpftool perf bpftrace stap setenforce", KERNEL),
        ("aa-enforce aa-disable aa-complain apparmor_parser auditctl update-grub grub-install efibootmgr", KERNEL),
        ("shutdown reboot poweroff halt pm-suspend pmset rtcwake", POWER),
        ("iptables ip6tables iptables-restore ip6tables-restore nft ufw firewall-cmd pfctl ebtables tc", NETWORK_SETUP),
        ("ip ifconfig route arp brctl ifup ifdown dhclient nmcli iwconfig networksetup hostnamectl", NETWORK_SETUP),
        ("timedatectl hwclock localectl setcap getcap update-alternatives ldconfig locale-gen", HOST),
        ("defaults scutil spctl csrutil security dscl keyctl gsettings dconf xdg-settings setx reg", HOST),
        ("lsof ss netstat w who last lastlog journalctl", HOST),
        ("chattr chcon setfattr setfacl restorecon lsattr", RIGHTS),
        ("screen tmux byobu dtach abduco zellij tmate wall write mesg", SCREEN),
    ]
)
