"""Which module describes a program, by the program's base name.

A hook is a process of its own and has no time to load every description, so that the names stand here once more; a
test compares them with what the modules hold. Spec: policy engine.
"""

from __future__ import annotations

from collections.abc import Mapping

DESCRIBED: Mapping[str, str] = {
    "listing": "basename dir dirname du file ls pwd readlink realpath stat tree type vdir which",
    "text": "cat column cut expand fmt fold head nl numfmt paste pr rev shuf sort tac tail tr tsort unexpand uniq wc",
    "searching": "egrep fgrep grep rg",
    "builtins": ": [ bg break caller continue date dirs disown echo exit false fg jobs printf return seq"
    " set shift shopt sleep suspend test times true ulimit umask unalias wait",
    "git": "gh git git-shell gitk glab hub jj lazygit scalar tig",
    "managers_node": "npm pnpm",
    "managers_python": "conda easy_install hatch mamba micromamba pdm pip pip2 pip3 pipenv pipx poetry pyvenv rye"
    " uv uvx virtualenv",
    "sed": "gsed sed",
    "find": "find",
    "copying": "cp install ln mkdir mv tee touch",
    "removing": "chgrp chmod chown rm rmdir shred truncate unlink",
    "wrappers": "anacron arch-chroot at atq atrm aws-vault batch busybox bwrap caffeinate calife capsh"
    " catchsegv cgdb chamber chronic chroot chrt cmd cmd.exe concurrently cron crond crontab"
    " cross-env cross-env-shell daemon daemonize dbus-run-session dbus-send direnv distrobox"
    " doas doppler dotenv dotenv-cli dotenvx dzdo eatmydata entr env env-cmd envdir expect"
    " fakechroot fakeroot fcron firejail flatpak-spawn flock frida gcore gdb gdbus genv"
    " gnome-terminal gosu hyperfine i386 infisical ionice konsole landrun ld-linux-aarch64.so.1"
    " ld-linux-armhf.so.3 ld-linux-x86-64.so.2 ld-linux.so.2 ld-musl-aarch64.so.1"
    " ld-musl-x86_64.so.1 ld.so linux32 linux64 lldb ltrace lxc lxc-attach lxc-exec minijail0"
    " nice nodemon nohup npm-run-all nsenter nsjail op open parallel pkexec please powershell"
    " powershell.exe prlimit proot ptrace pwsh rlwrap rr run-p run-parts run-s run0 runas runcon"
    " runuser rust-gdb sandbox-exec schroot script sem setarch setpriv setsid start"
    " start-stop-daemon stdbuf strace su su-exec sudo sudoedit systemd-run taskset time timeout"
    " toolbox toybox uftrace unbuffer unbuffer-expect unshare valgrind viddy watch watchexec wsl"
    " wsl.exe x86_64 xdg-open xdotool xterm xvfb-run",
    "interpreters": "R Rscript ash atom bash bpython clisp code crystal csh dash elixir elvish erl fish gedit"
    " ghci gnuplot groovy guile helix hx iex ipython irb jruby jshell julia jupyter kak kate"
    " kotlin ksh lua luajit mksh node nodejs nu ocaml osascript perl php pry racket rbash ruby"
    " sbcl scala sh subl swift tclsh tcsh ts-node tsx wish xonsh yash zsh",
    "xargs": "xargs",
    "jq": "jq",
    "comparing": "cmp comm diff join",
    "binary": "b2sum base32 base64 basenc cksum hd hexdump md5 md5sum od sha1sum sha224sum sha256sum"
    " sha384sum sha512sum shasum strings sum xxd",
    "evaluating": ". alias bind builtin command compgen complete compopt coproc enable eval exec fc hash"
    " history logout source trap",
    "declaring": "declare export getopts let local mapfile read readarray readonly typeset unset",
    "tasks": "ant bmake gmake go-task gradle gradlew just make mvn mvnw ninja rake samu sbt task",
    "python_program": "graalpy micropython py pypy pypy3 python python2 python3 pythonw",
    "writing": "awk csplit dd gawk mawk nawk original-awk patch rsync split",
    "archives": "bunzip2 bzcat bzip2 gtar gunzip gzcat gzip tar unxz unzip unzstd xz xzcat zcat zip zstd zstdcat",
    "viewers": "ed emacs emacsclient ex gvim joe less man mcedit micro more most nano nvim pico red rnano"
    " rvim vi view vim vimdiff",
    "managers_yarn": "bun bunx corepack fnm lerna n npx nvm pnpx volta yarn yarnpkg",
    "managers_other": "add-apt-repository apk apt apt-get apt-key aptitude asdf brew bundle bundler cabal cargo"
    " choco composer conan cpan cpanm dnf dotnet dpkg emerge flatpak gem go goenv guix jenv"
    " luarocks mise mix nix nix-env nix-shell nodenv opam opkg pacman pear pecl pkg port pyenv"
    " rbenv rpm rustup scoop sdk snap stack tfenv vcpkg winget xbps-install yay yum zypper",
    "network": "aria2c arping autossh axel cloudflared croc cryptcat curl delv dig drill elinks ftp getent"
    " grpcurl host hping3 http httpie https lftp links localtunnel lynx magic-wormhole mail"
    " mailx masscan mosh msmtp mtr mutt nc nc.openbsd nc.traditional ncat ncftp netcat ngrok"
    " nmap nslookup ping ping6 rclone rcp resolvectl rexec rlogin rsh scp sendmail sftp socat"
    " ssh ssh-add ssh-agent ssh-copy-id sshfs sshpass swaks tcpdump telnet tftp tracepath"
    " traceroute tshark w3m websocat wget wget2 whois wormhole wscat xh",
    "system": "aa-complain aa-disable aa-enforce abduco addgroup adduser apparmor_parser arp auditctl"
    " badblocks blkdiscard bpftool bpftrace brctl btrfs byobu cfdisk chage chattr chcon chfn"
    " chgpasswd chkconfig chpasswd chsh cryptsetup csrutil dconf debugfs defaults delgroup"
    " deluser depmod dhclient diskutil dmesg dmsetup dscl dtach e2fsck ebtables efibootmgr eject"
    " fdisk firewall-cmd fsck fuser fusermount fusermount3 gdisk getcap gpasswd groupadd"
    " groupdel groupmod grub-install gsettings halt hdiutil hdparm hostnamectl hwclock ifconfig"
    " ifdown ifup init initctl insmod invoke-rc.d ip ip6tables ip6tables-restore iptables"
    " iptables-restore iwconfig journalctl kexec keyctl killall killall5 kmod last lastlog"
    " launchctl ldconfig locale-gen localectl loginctl losetup lsattr lsof lvcreate lvremove"
    " lvresize machinectl mdadm mesg mkdosfs mke2fs mkfs mkfs.btrfs mkfs.ext2 mkfs.ext3"
    " mkfs.ext4 mkfs.fat mkfs.ntfs mkfs.vfat mkfs.xfs mknod mkntfs mkswap modprobe monit mount"
    " netstat networksetup newgrp newusers nft nmcli nvme parted partprobe passwd perf pfctl"
    " pkill pm-suspend pm2 pmset poweroff pvcreate pvremove rc-service rc-update reboot reg"
    " renice reptyr resize2fs restorecon rmmod route rtcwake runlevel screen scutil security"
    " service setcap setenforce setfacl setfattr setx sfdisk sg sgdisk shutdown skill snice"
    " spctl ss stap supervisorctl swapoff swapon sysctl systemctl systemd-nspawn tc telinit"
    " timedatectl tmate tmux tune2fs ufw umount umount2 update-alternatives update-grub"
    " update-rc.d useradd userdel usermod vgcreate vgremove vigr vipw visudo w wall who wipefs"
    " write xdg-settings xfs_repair xkill zellij zfs zpool",
    "infra": "VBoxManage ansible ansible-playbook argocd aws az bq buildah buildctl cap cdk chef-client"
    " clickhouse clickhouse-client colima consul cqlsh createdb createuser crictl crun ctr"
    " docker docker-compose docker-machine doctl dropdb dropuser duckdb eb eksctl finch firebase"
    " flit flux fly flyctl gcloud goreleaser gsutil hcloud helm heroku ibmcloud istioctl k k3d"
    " k3s kind kn kops kubectl kustomize limactl linode-cli mariadb mc minikube mongo mongosh"
    " multipass mysql mysqladmin mysqlimport nerdctl netlify nomad now oc oci packer pg_resetwal"
    " pg_restore podman podman-compose psql pulumi puppet qemu-system-x86_64 railway redis-cli"
    " render runc s3cmd salt sam semantic-release serverless skaffold sls sqlcmd sqlite sqlite3"
    " surge terraform terragrunt tofu twine vagrant vault vboxmanage vercel virsh wrangler",
    "ralph_itself": "ralph ralph-agent ralph-governance",
}
"""Modules of this package, and the programs that each describes."""

MODULES: Mapping[str, str] = {name: module for module, names in DESCRIBED.items() for name in names.split()}
